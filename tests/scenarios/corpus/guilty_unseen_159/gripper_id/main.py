# gradwatch-corpus: kind=graph-held
# holder: self.events | guard.events | plant.guard.events | self.guard.events | report.cause | e.__traceback__
# first-bad: 1
# notice: 8
"""System identification of a two-finger gripper with torque limits."""
import torch

from limits import Guard
from plant import Plant, PlantConfig

torch.set_num_threads(1)
torch.manual_seed(5)


class Excitation:
    """Chirp commands with a random amplitude per trial."""

    def __init__(self, cfg, trials):
        self.cfg, self.trials = cfg, trials
        self.t = torch.linspace(0, 1, cfg.horizon)

    def __iter__(self):
        for k in range(self.trials):
            amp = 0.5 + 2.5 * torch.rand(self.cfg.batch, 1, 1)
            u = amp * torch.sin(12.0 * self.t * (1 + self.t)).view(1, -1, 1)
            u = u.expand(-1, -1, self.cfg.joints)
            yield u, 0.3 * torch.cumsum(u, 1) / self.cfg.horizon + 0.01 * torch.randn_like(u)


def main():
    cfg = PlantConfig()
    guard = Guard(limit=0.05)
    plant = Plant(cfg, guard)
    opt = torch.optim.Adam(plant.parameters(), lr=4e-3)
    for k, (u, q_meas) in enumerate(Excitation(cfg, trials=100)):
        q_hat = plant.rollout(u)
        err = (q_hat - q_meas).square().mean()
        opt.zero_grad(set_to_none=True)
        err.backward()
        opt.step()
        if k % 25 == 24:
            print(f"trial {k}: err {err.item():.4f} saturated {guard.rate(k + 1):.2f}")


if __name__ == "__main__":
    main()
