from supple.solve.tree_factor import TreeFactor as LinearSolver
def choose(name, coordinates, pairs):
    return LinearSolver(coordinates, pairs)
