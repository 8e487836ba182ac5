// Thumbnailer
