"""Settings of Sphinx: `make docs` builds the site into build/docs, and fails at any warning."""

from pathlib import Path
from typing import Any

from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from terracotta_env import __version__

project = "Terracotta Army"
author = "The Terracotta Army environment authors"
copyright = author
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_preserve_defaults = True
napoleon_use_ivar = True  # the attributes of a dataclass are described once

html_theme = "furo"
html_title = f"Terracotta Army {release}"
html_show_sphinx = False


class Folders(SphinxPostTransform):
    """Links to folders lead somewhere where the text is read in the repository; on the site they are plain text."""

    default_priority = 8  # before MyST resolves links, at 9

    def run(self, **kwargs: Any) -> None:
        here = Path(self.env.doc2path(self.env.docname)).parent
        for node in list(self.document.findall(addnodes.pending_xref)):
            if node.get("reftype") == "myst" and (here / node["reftarget"]).is_dir():
                node.replace_self(node[0].deepcopy())


def setup(app: Sphinx) -> None:
    app.add_post_transform(Folders)
