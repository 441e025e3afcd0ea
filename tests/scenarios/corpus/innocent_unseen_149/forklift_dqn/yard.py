import torch


class Yard:
    def __init__(self, aisles):
        self.aisles = aisles

    def reset(self):
        self.queue = torch.rand(self.aisles) * 3
        self.arrive = torch.rand(self.aisles) * 0.5
        return self.obs()

    def obs(self):
        return torch.cat([self.queue / 5, self.arrive])

    def serve(self, aisle):
        moved = min(1.5, float(self.queue[aisle]))
        self.queue = (self.queue + self.arrive).clamp(max=6)
        self.queue[aisle] -= moved
        return self.obs(), moved - 0.02 * float(self.queue.sum())
