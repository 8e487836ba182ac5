"""How a test is declared.

    @test("Two quick clicks on Upload make one document", stock="empty")
    def _(at):
        at.open("/documents")
        ...
        at.state("upload", "done")

The sentence is the test's name. `stock` names the documents that the test finds, a function of stock.py; every test has a
documentd of its own over a copy of them. `at` is a Visit (visit.py): a page in Chromium, and what can be done to the network
and the service. `at.state(SCREEN, STATE)` says that the page now shows a state of the table in docs/screens.md: it runs
axe-core over the page, light and dark. A state that no test visits fails, and so does one that the table lacks.
A new file of tests is named `…_tests.py`; run.py finds it.
"""

from dataclasses import dataclass, field
from typing import Callable

tests = []


@dataclass
class Test:
    name: str
    body: Callable
    stock: str
    context: dict = field(default_factory=dict)


def test(name, stock="few", **context):
    """Declares a test; further arguments are Playwright's of a new context (`viewport`, `has_touch`, ...)."""

    def declare(body):
        if any(other.name == name for other in tests):
            raise ValueError(f"Two tests are named: {name}")
        tests.append(Test(name, body, stock, context))
        return body

    return declare


PHONE = {"viewport": {"width": 360, "height": 740}}
TOUCH = PHONE | {"has_touch": True, "is_mobile": True}
