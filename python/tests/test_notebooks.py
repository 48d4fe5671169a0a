"""The notebooks of the documentation, run from their first cell to their last."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
for needed in ("pandas", "matplotlib", "gymnasium", "ipykernel"):
    pytest.importorskip(needed, reason=f"{needed} is not installed")

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "docs").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    client = nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    assert not any(cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells), "outputs are left out"


def test_there_is_one():
    assert NOTEBOOKS
