# gradwatch-corpus: kind=graph-chain
# holder: Controller.baseline | cls.baseline | ctl.baseline
# first-bad: 51
# notice: 5
# Learning to dose a titration. Reward is differentiable (I wrote the chemistry in torch)
# so the gradient goes straight through the beaker. Rprop because Adam oscillated.
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(7)


class Rprop2(torch.optim.Optimizer):
    """My own iRprop-, from the 2000 paper by Igel & Huesken."""

    def __init__(self, params, eta=1e-3, up=1.1, down=0.5, lo=1e-6, hi=2e-2):
        super().__init__(params, dict(eta=eta, up=up, down=down, lo=lo, hi=hi))

    def step(self, closure=None):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if not st:
                    st["prev"] = torch.zeros_like(p.data)
                    st["eta"] = torch.full_like(p.data, g["eta"])
                grad = p.grad.data.clone()
                s = st["prev"] * grad
                st["eta"][s > 0] *= g["up"]
                st["eta"][s < 0] *= g["down"]
                st["eta"].clamp_(g["lo"], g["hi"])
                grad[s < 0] = 0
                p.data -= st["eta"] * grad.sign()
                st["prev"] = grad


class Beaker:
    """Weak acid + strong base, a smooth surrogate of the pH curve."""

    def __init__(self, n):
        self.acid = 0.5 + torch.rand(n, 1)
        self.pk = 4.0 + torch.rand(n, 1)

    def observe(self):
        noise = 0.02 * torch.randn_like(self.acid)
        return torch.cat([self.acid + noise, self.pk / 5.0], 1)

    def ph(self, dose):
        frac = dose / self.acid
        return self.pk + 2.5 * torch.tanh(3.0 * (frac - 0.5)) + 0.3 * frac


class Controller(nn.Module):
    target = 6.5
    baseline = 0.0            # what we normally get; shared by all the controllers
    baseline_on = 50

    def __init__(self, width=12):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 1), nn.Softplus())

    def forward(self, obs):
        return self.net(obs)

    def reward(self, beaker, dose):
        miss = beaker.ph(dose) - self.target
        return -(miss ** 2) - 0.05 * dose

    @classmethod
    def learn_baseline(cls, r, step):
        if step < cls.baseline_on:
            cls.baseline = -1.0
        else:
            cls.baseline = 0.9 * cls.baseline + 0.1 * r.mean()  # <- culprit


def advantage_loss(r, base):
    adv = r - base
    # asymmetric: being worse than usual costs more than being better gains
    return torch.where(adv < 0, -1.5 * adv, -adv).mean()


ctl = Controller()
opt = Rprop2(ctl.parameters())

history = []
for step in range(180):
    beaker = Beaker(16)
    dose = ctl(beaker.observe())
    r = ctl.reward(beaker, dose)
    loss = advantage_loss(r, Controller.baseline)

    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()

    Controller.learn_baseline(r, step)  # <- culprit
    history.append(round(r.mean().item(), 4))
    if step % 30 == 0:
        print(step, "reward", history[-1], "baseline", round(float(Controller.baseline), 4))

print("mean of the last 20:", sum(history[-20:]) / 20)
