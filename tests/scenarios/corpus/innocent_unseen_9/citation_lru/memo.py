from collections import OrderedDict


class RecentMemo:
    def __init__(self, room):
        self.room = room
        self.shelf = OrderedDict()
        self.hits = 0

    def __len__(self):
        return len(self.shelf)

    def look(self, key):
        v = self.shelf.get(key)
        if v is not None:
            self.hits += 1
            self.shelf.move_to_end(key)
        return v

    def store(self, key, value):
        self.shelf[key] = value
        self.shelf.move_to_end(key)
        while len(self.shelf) > self.room:
            self.shelf.popitem(last=False)
