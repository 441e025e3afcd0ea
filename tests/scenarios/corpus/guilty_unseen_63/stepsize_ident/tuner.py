"""Gradient descent on the friction parameters with one learned step size for each."""
import torch

from friction import friction_torque


def mse(theta, sample):
    velocity, torque = sample
    return (friction_torque(theta, velocity) - torque).pow(2).mean()


class StepSizeTuner:
    """Keeps the current estimate `theta` and the log step sizes.

    After each descent step the held-out error of the new estimate is
    differentiated with respect to the step sizes that produced it.
    """

    def __init__(self, meta_lr):
        self.theta = torch.tensor([0.1, 0.1, 0.0], requires_grad=True)
        self.log_rate = torch.full((3,), -2.5, requires_grad=True)
        self.meta = torch.optim.Adam([self.log_rate], lr=meta_lr)

    def update(self, fit, held_out):
        fit_loss = mse(self.theta, fit)
        (grad,) = torch.autograd.grad(fit_loss, self.theta, create_graph=True)
        self.theta = self.theta - self.log_rate.exp() * grad  # <- culprit

        val_loss = mse(self.theta, held_out)
        (hyper,) = torch.autograd.grad(val_loss, self.log_rate, retain_graph=True)  # <- culprit
        self.log_rate.grad = hyper.clamp(-1.0, 1.0)
        self.meta.step()
        return fit_loss.item(), val_loss.item()

    def rates(self):
        return self.log_rate.detach().exp().tolist()

    def estimate(self):
        return self.theta.detach().tolist()
