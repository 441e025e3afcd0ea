# gradwatch-corpus: kind=graph-chain
# holder: self.climate | controller.climate
# first-bad: 1
"""Receding-horizon control of a greenhouse: temperature, humidity, CO2 and leaf area."""
import torch


class GreenhouseDynamics:
    n_state = 4
    n_control = 3

    def __init__(self):
        rng = torch.Generator().manual_seed(5)
        self.relax = torch.eye(4) * 0.9 + 0.03 * torch.randn(4, 4, generator=rng)
        self.gain = 0.25 * torch.randn(4, 3, generator=rng)

    def outside(self, hour):
        day = torch.sin(torch.tensor(hour * 2 * torch.pi / 24))
        return torch.stack([0.4 * day, -0.2 * day, torch.zeros(()), 0.1 * day])

    def step(self, climate, actuation, hour):
        drive = self.relax @ climate + self.gain @ actuation + 0.1 * self.outside(hour)
        return torch.tanh(drive)


class ActuatorPlan(torch.nn.Module):
    def __init__(self, horizon, n_control):
        super().__init__()
        self.raw = torch.nn.Parameter(torch.zeros(horizon, n_control))

    def at(self, k):
        return torch.sigmoid(self.raw[k])

    @torch.no_grad()
    def shift(self):
        self.raw.copy_(torch.cat([self.raw[1:], self.raw[-1:]]))


class PrintEvery:
    def __init__(self, n):
        self.n = n

    def on_hour(self, hour, report):
        if hour % self.n == 0:
            print(f"hour {hour:3d} cost {report['cost']:.4f} leaf {report['leaf']:.3f}")


class WorstHour:
    def __init__(self):
        self.cost = float("-inf")
        self.hour = None

    def on_hour(self, hour, report):
        if report["cost"] > self.cost:
            self.cost = report["cost"]
            self.hour = hour


class RecedingController:
    def __init__(self, horizon=8, lr=0.1, callbacks=()):
        self.dynamics = GreenhouseDynamics()
        self.plan = ActuatorPlan(horizon, self.dynamics.n_control)
        self.horizon = horizon
        self.optimizer = torch.optim.RMSprop(self.plan.parameters(), lr=lr)
        self.setpoint = torch.tensor([0.3, 0.1, 0.2, 0.5])
        self.energy_price = 0.05
        self.climate = torch.zeros(self.dynamics.n_state)
        self.callbacks = list(callbacks)

    def rollout_cost(self, hour):
        x = self.climate
        cost = torch.zeros(())
        for k in range(self.horizon):
            u = self.plan.at(k)
            x = self.dynamics.step(x, u, hour + k)
            cost = cost + (x - self.setpoint).pow(2).sum() + self.energy_price * u.sum()
        return cost / self.horizon

    def improve(self, hour):
        self.optimizer.zero_grad()
        cost = self.rollout_cost(hour)
        cost.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        return cost.item()

    def apply(self, hour):
        u = self.plan.at(0)
        self.climate = self.dynamics.step(self.climate, u, hour)  # <- culprit
        self.plan.shift()
        return self.climate[3].item()

    def operate(self, hours):
        for hour in range(hours):
            cost = self.improve(hour)
            leaf = self.apply(hour)
            report = {"cost": cost, "leaf": leaf}
            for cb in self.callbacks:
                cb.on_hour(hour, report)


def main():
    torch.manual_seed(0)
    worst = WorstHour()
    controller = RecedingController(callbacks=[PrintEvery(15), worst])
    controller.operate(120)
    print("worst hour:", worst.hour, round(worst.cost, 4))


if __name__ == "__main__":
    main()
