import torch


class DirectionProbe:
    """Cosine between this step's gradient and the one before."""

    def __init__(self, net):
        self.params = [p for p in net.parameters() if p.requires_grad]
        self.arrows = []
        self.turns = []

    def observe(self):
        flat = torch.cat([p.grad.reshape(-1) for p in self.params])
        self.arrows.append(flat / flat.norm().clamp_min(1e-12))  # <- culprit
        if len(self.arrows) < 2:
            return 0.0
        turn = torch.dot(self.arrows[-1], self.arrows[-2]).item()
        self.turns.append(turn)
        return turn

    def mean_turn(self):
        return sum(self.turns) / max(len(self.turns), 1)
