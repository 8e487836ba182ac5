// As compass-sniff, with probes: see ProbingRenderer.

import Media
import Probing
import Sniffer

ProbingRenderer<Sniffer>.main(serving: [.sniff])
