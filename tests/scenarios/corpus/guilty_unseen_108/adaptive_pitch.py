# gradwatch-corpus: kind=graph-chain
# holder: law.gains | self.gains | law.gains["kp"] | self.gains[k]
# first-bad: 61
# notice: 5
# Pitch-angle control of a small wind turbine.  Inner loop: the PI-D gains are
# corrected on every gust by one gradient step of the tracking cost.  Outer loop:
# the step sizes themselves are learnt (first-order hypergradient), after a quiet hour in which
# they are left as the commissioning engineer set them.
import torch

torch.set_num_threads(1)
torch.manual_seed(11)

DT = 0.1
HORIZON = 8
COMMISSIONING = 60
GUSTS = 260


class Turbine:
    inertia, drag, gain = 2.0, 0.6, 1.4

    def __init__(self, rotors=6):
        self.speed = torch.ones(rotors)
        self.integral = torch.zeros(rotors)

    def simulate(self, gains, wind, target):
        """Roll HORIZON ticks ahead, leave the true state at the end, return cost."""
        speed, integ, cost = self.speed, self.integral, 0.0
        last = target - speed
        for k in range(HORIZON):
            err = target - speed
            integ = integ + err * DT
            pitch = gains["kp"] * err + gains["ki"] * integ + gains["kd"] * (err - last)
            torque = wind[k] - self.drag * speed + self.gain * torch.tanh(pitch)
            speed = speed + DT / self.inertia * torque
            last = err
            cost = cost + err.square().mean() + 1e-3 * pitch.square().mean()
        self.speed, self.integral = speed.detach(), integ.detach().clamp(-3, 3)
        return cost / HORIZON


class GainLaw(torch.nn.Module):
    def __init__(self, **start):
        super().__init__()
        self.names = tuple(start)
        self.log_rate = torch.nn.Parameter(torch.full((len(start),), -3.0))
        self.gains = {k: torch.tensor(v, requires_grad=True) for k, v in start.items()}

    def rates(self):
        return dict(zip(self.names, self.log_rate.exp().unbind()))

    def correct(self, cost, tune_rates):
        slopes = torch.autograd.grad(cost, [self.gains[k] for k in self.names],
                                     retain_graph=True)
        rate = self.rates()
        for k, slope in zip(self.names, slopes):
            if tune_rates:
                self.gains[k] = self.gains[k] - rate[k] * slope.clamp(-2, 2)  # <- culprit
            else:
                fresh = self.gains[k].detach() - rate[k].detach() * slope.clamp(-2, 2)
                self.gains[k] = fresh.requires_grad_()


def gusts(n):
    level = torch.zeros(6)
    for _ in range(n):
        level = 0.9 * level + 0.2 * torch.randn(6)
        yield level + 0.3 * torch.randn(HORIZON, 6)


plant = Turbine()
law = GainLaw(kp=0.4, ki=0.05, kd=0.0)
outer = torch.optim.Adam(law.parameters(), lr=0.02)
costs = []

for n, wind in enumerate(gusts(GUSTS)):
    setpoint = 1.2 + 0.3 * (n // 40 % 2)
    tuning = n >= COMMISSIONING
    cost = plant.simulate(law.gains, wind, setpoint)
    outer.zero_grad()
    if tuning:
        cost.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(law.parameters(), 1.0)
    outer.step()
    law.correct(cost, tuning)
    costs.append(cost.item())
    if n % 65 == 64:
        r = {k: round(v.item(), 4) for k, v in law.rates().items()}
        print("gust", n, "cost", round(sum(costs[-65:]) / 65, 4), "rates", r)

print("final gains", {k: round(v.item(), 3) for k, v in law.gains.items()})
