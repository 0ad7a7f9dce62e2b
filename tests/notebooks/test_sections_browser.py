"""Links to sections in a real JupyterLab: from every place that sends a reader to one, the chapter opens at it."""

import json
import shutil

import numpy
import pytest

from plahelpers import checks, quizzes
from tests.browser import needs_chromium
from tests.jupyterlab import IDLE, ROOT, TIMEOUT, open_notebook, run_all_cells, running_lab, write_notebook

pytestmark = needs_chromium

SOURCES = (
    "import numpy\nfrom IPython.display import HTML\nfrom plahelpers import checks, quizzes\nquizzes.quiz('02')",
    "HTML(quizzes.quiz('02')._repr_html_())",
    "checks.visit(lambda w, x, y: w + y * numpy.append(1, x))",
)
# From the first question a wrong answer is sent to this section, and so is the lambda above.
UPDATE, FIND = "The picture of an update", "Find a mistake"

# For each place its link, and where it leads.
LIVE = {
    "the feedback of a form": (".plahelpers-card [role=alert] a", UPDATE),
    "the score of a form": (".widget-vbox.plahelpers-quiz li a", UPDATE),
    "a folded page": (".mathjax_process details[open] a", UPDATE),
    "the score of a folded page": (".mathjax_process .plahelpers-kept li a", UPDATE),
    "the report of a check": ("a:text-matches('^chapter 2')", FIND),
}
STORED = {place: LIVE[place] for place in ("a folded page", "the report of a check")}


def write_stored(path):
    """A notebook with outputs that nobody has run and nobody has signed."""
    write_notebook(path, *SOURCES[1:])
    notebook = json.loads(path.read_text(encoding="utf-8"))
    pages = quizzes.quiz("02")._repr_html_(), checks.visit(lambda w, x, y: w + y * numpy.append(1, x))._repr_html_()
    for cell, page in zip(notebook["cells"], pages, strict=True):
        cell["outputs"] = [{"output_type": "display_data", "data": {"text/html": page}, "metadata": {}}]
    path.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab with chapter 2, and with two notebooks that send their reader there."""
    folder = tmp_path_factory.mktemp("lab")
    write_notebook(folder / "notebooks" / "live.ipynb", *SOURCES)
    write_stored(folder / "notebooks" / "stored.ipynb")
    shutil.copy(ROOT / "notebooks" / "02_pla.ipynb", folder / "notebooks")
    with running_lab(folder) as address:
        yield address


@pytest.fixture
def page(browser):
    """A page on which no error was seen in the end."""
    errors = []
    with browser.new_page(viewport={"width": 1200, "height": 1000}) as page:
        page.set_default_timeout(TIMEOUT)
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
    assert errors == []


def at_top(path, title):
    """Is this notebook in front, and does this heading stand at the top of what can be seen of it?"""
    return f"""() => {{
        const {{ content, context }} = jupyterapp.shell.currentWidget;
        const {{ top }} = content.node.getBoundingClientRect();
        const headings = [...content.node.querySelectorAll("h1, h2, h3")];
        const first = headings.find((heading) => heading.getBoundingClientRect().bottom > top);
        return context.path === {json.dumps(path)} && first?.textContent.startsWith({json.dumps(title)})
            && first.getBoundingClientRect().bottom < top + 120;
    }}"""


def follow(page, link, title):
    """Click on a link and see its section; then show the top of chapter 2, and go back."""
    here = page.evaluate("jupyterapp.shell.currentWidget.context.path")
    link.click()
    page.wait_for_function(at_top("02_pla.ipynb", title))
    page.evaluate("jupyterapp.shell.currentWidget.content.node.querySelector('h1').scrollIntoView()")
    page.wait_for_function(at_top("02_pla.ipynb", "Chapter 2"))
    page.evaluate("path => jupyterapp.commands.execute('docmanager:open', { path }).then(() => null)", here)


def test_links_in_outputs_that_were_stored_lead_to_their_sections(page, lab):
    open_notebook(page, lab, "stored")
    page.wait_for_function(IDLE)
    page.locator(".mathjax_process summary").first.click()
    for place, title in STORED.values():  # at the first one the chapter is not open yet
        follow(page, page.locator(place).first, title)


def test_links_in_a_running_notebook_lead_to_their_sections_and_nothing_is_loaded_anew(page, lab):
    open_notebook(page, lab, "live")
    run_all_cells(page)
    page.evaluate("window.still_here = true")
    card = page.locator(".plahelpers-card").first
    card.get_by_role("checkbox").first.click()
    card.get_by_role("button", name="Check").click()
    page.locator(".mathjax_process summary").first.click()
    for place, title in LIVE.values():
        follow(page, page.locator(place).first, title)
    assert page.evaluate("window.still_here")
    assert len(page.context.pages) == 1
