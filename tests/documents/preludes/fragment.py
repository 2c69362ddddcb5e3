# Beginning of fragments of Python on pages: one rank, an array, and a store for ranks that a program starts.
import numpy
import tutti


class Store:
    def __init__(self):
        self.values = {}

    def set(self, key, value):
        self.values[key] = value

    def get(self, key):
        return self.values[key]


comm = tutti.world()
a = numpy.arange(4.0)
rank, size, store = 0, 1, Store()
