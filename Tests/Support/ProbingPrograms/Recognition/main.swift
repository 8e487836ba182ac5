// As compass-recognize, with probes: see ProbingRenderer.

import Media
import PageRecognizer
import Probing

ProbingRenderer<PageRecognizer>.main(serving: [.recognition])
