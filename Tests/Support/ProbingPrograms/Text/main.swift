// As compass-read-text, with probes: see ProbingRenderer.

import Media
import Probing
import TextReader

ProbingRenderer<TextReader>.main(serving: [.text])
