// As compass-render-plain, with probes: see ProbingRenderer.

import Media
import PlainRenderer
import Probing

ProbingRenderer<PlainRenderer>.main(serving: [.plain])
