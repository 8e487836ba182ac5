// As compass-render-image, with probes: see ProbingRenderer.

import ImageRenderer
import Media
import Probing

ProbingRenderer<ImageRenderer>.main(serving: [.image, .svg])
