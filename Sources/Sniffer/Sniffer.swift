// Sniffer
