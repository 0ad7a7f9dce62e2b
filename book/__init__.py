"""The static site, the decks, the paper and JupyterLab, made from the notebooks."""
