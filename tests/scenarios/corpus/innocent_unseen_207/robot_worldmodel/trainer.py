import torch

from .arm import ArmSim
from .rssm import Belief, WorldModel


class WorldModelTrainer:
    def __init__(self, window, envs=8, seed=67):
        torch.manual_seed(seed)
        self.window = window
        self.sim = ArmSim(envs, seed)
        self.model = WorldModel(obs=4, act=2)
        self.belief = Belief.initial(envs, 24, 8)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.running = 0.0
        self.terms = []

    def kl_weight(self, step):
        return min(0.5, step / 2000)

    def flush(self):
        total = self.running / self.window
        self.optim.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.optim.step()
        recon = torch.stack(self.terms).mean().item()
        self.belief = self.belief.detach()
        self.running = 0.0
        self.terms.clear()
        return recon

    def train(self, steps):
        curve = []
        for step in range(1, steps + 1):
            obs, action = self.sim.step()
            self.belief, recon, kl = self.model(self.belief, action, obs)
            self.running = self.running + recon + self.kl_weight(step) * kl
            self.terms.append(recon)
            if step % self.window == 0:
                curve.append(self.flush())
            if step % 840 == 0:
                print(step, f"recon {curve[-1]:.4f}")
