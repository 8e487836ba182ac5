// As compass-render-video, with probes: see ProbingRenderer.

import Media
import Probing
import VideoRenderer

ProbingRenderer<VideoRenderer>.main(serving: [.video])
