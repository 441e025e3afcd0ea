import torch


class PitchTuner:
    """Gradient descent on the pitch law, with the step sizes learned on the fly."""

    def __init__(self, features, plan):
        self.plan = plan
        self.weights = torch.zeros(features, requires_grad=True)
        self.log_rate = torch.full((features,), -2.5, requires_grad=True)
        self.opt = torch.optim.Adam([self.log_rate], lr=0.01)
        self.tick_no = 0
        self.age = 0

    @staticmethod
    def power_gap(w, batch):
        x, y = batch
        return (torch.tanh(x @ w) - y).square().mean()

    def rate(self):
        return self.log_rate.exp().mean().item()

    def tick(self, fit, check):
        (g,) = torch.autograd.grad(self.power_gap(self.weights, fit), self.weights, create_graph=True)
        moved = self.weights - self.log_rate.exp() * g
        outer = self.power_gap(moved, check)
        self.opt.zero_grad()
        outer.backward(retain_graph=True)
        self.opt.step()
        self.settle(moved)
        return outer.item()

    def settle(self, moved):
        self.weights = moved  # <- culprit
        self.age += 1
        window = self.plan.window_at(self.tick_no)
        if window and self.age >= window:  # <- culprit
            self.weights = moved.detach().requires_grad_()
            self.age = 0
        self.tick_no += 1
