"""Choosing elements: by number, by mask, by subscript; and writing to those chosen.

Reading an element twice gives it two gradients: the transpose of every choice is a sum into the places chosen.
"""
