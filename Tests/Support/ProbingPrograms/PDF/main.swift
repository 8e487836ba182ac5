// As compass-render-pdf, with probes: see ProbingRenderer.

import Media
import PageRenderer
import Probing

ProbingRenderer<PageRenderer>.main(serving: [.pdf])
