// A renderer that misbehaves on command: the tests' proof that the host survives everything a child can do.
// The source's text is the command: `crash 11`, `hang`, `oversized`, … (see FakeRenderer).

import Media
import Probing
import Rendering

let behaviour = Behaviour.ofThisProcess
OrdinaryUser.become()
RendererProgram<FakeRenderer>.main(
    serving: RendererClass.allCases, recognizing: FakeRenderer.recognize, confinedBy: behaviour.layers)
