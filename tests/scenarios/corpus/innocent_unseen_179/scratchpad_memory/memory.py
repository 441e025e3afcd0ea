import torch


class SlotMemory:
    def __init__(self, slots, width):
        self.keys = 0.1 * torch.randn(slots, width)
        self.values = torch.zeros(slots, width)
        self.age = torch.zeros(slots)
        self.trail = [None] * slots

    def read(self, query):
        attention = torch.softmax(query @ self.keys.T / query.shape[1] ** 0.5, dim=1)
        return attention @ self.values, attention

    def write(self, query, value, attention):
        used = attention.detach().sum(0)
        self.age += 1
        slot = int((self.age - 4 * used).argmax())
        strongest = int(attention.detach().max(1).values.argmin())
        self.keys[slot] = query[strongest].detach()
        self.values[slot] = value[strongest].detach()
        self.age[slot] = 0
        self.trail[slot] = attention[strongest]

    def oldest(self):
        filled = [i for i, t in enumerate(self.trail) if t is not None]
        return int(self.age[filled].max()) if filled else 0
