class CategoryTree:
    def __init__(self, depth, fan):
        self.parent = [-1]
        level = [0]
        for _ in range(depth):
            nxt = []
            for node in level:
                for _ in range(fan):
                    self.parent.append(node)
                    nxt.append(len(self.parent) - 1)
            level = nxt
        self.leaves = level

    def __len__(self):
        return len(self.parent)
