import random


class Memory:
    def __init__(self, size):
        self.size = size
        self.items = []

    def __len__(self):
        return len(self.items)

    def put(self, *transition):
        if len(self.items) == self.size:
            self.items[random.randrange(self.size)] = transition
        else:
            self.items.append(transition)  # <- culprit

    def draw(self, k):
        return random.sample(self.items, k)
