import torch


class Trail:
    def __init__(self, every):
        self.every, self.points = every, []

    def __len__(self):
        return len(self.points)

    def mark(self, step, net):
        if step % self.every == 0:
            self.points.append(torch.nn.utils.parameters_to_vector(net.parameters()).detach().clone())

    def length(self):
        p = torch.stack(self.points)
        return (p[1:] - p[:-1]).norm(dim=1).sum().item()
