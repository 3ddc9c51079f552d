"""The data of the tutorials, from scikit-learn, for cells that run in the page; nothing else of it is here."""
