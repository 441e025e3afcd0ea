"""Best-k checkpoints in memory."""
import copy


class BestStates:
    """The k lowest objectives seen so far with the parameters that gave them."""

    def __init__(self, k):
        self.k = k
        self.entries = []

    def offer(self, value, it, module):
        if len(self.entries) == self.k and value >= self.entries[-1][0]:
            return False
        self.entries.append((value, it, copy.deepcopy(module.state_dict())))
        self.entries.sort(key=lambda e: e[0])
        del self.entries[self.k:]
        return True

    def restore(self, module):
        module.load_state_dict(self.entries[0][2])
