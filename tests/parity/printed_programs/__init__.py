"""Programs written for PyTorch, and what it printed: each is run here under PyTorch's name, and must print the same."""
