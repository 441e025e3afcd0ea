# gradwatch-corpus: kind=none
# after: difftaichi / NVlabs SHAC (short-horizon windows through a differentiable simulator, state detached at the window's start)
import contextlib
import torch
from torch import nn
from sim import HangingChain

CONF = {"windows": 90, "horizon": 10, "lr": 3e-3, "ema": 0.95, "eval_every": 15, "goal": (0.7, -0.3)}


class Policy(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4 * n, 32), nn.ELU(), nn.Linear(32, 2))

    def forward(self, x, v):
        return 2 * torch.tanh(self.net(torch.cat([x.flatten(), v.flatten()])))


class EMA:
    def __init__(self, module, decay):
        self.module, self.decay = module, decay
        self.shadow = {k: v.clone() for k, v in module.state_dict().items()}

    @torch.no_grad()
    def update(self):
        for k, v in self.module.state_dict().items():
            self.shadow[k] = self.decay * self.shadow[k] + (1 - self.decay) * v

    @contextlib.contextmanager
    def swapped(self):
        backup = {k: v.clone() for k, v in self.module.state_dict().items()}
        self.module.load_state_dict(self.shadow)
        try:
            yield
        finally:
            self.module.load_state_dict(backup)


class Runner:
    def __init__(self, conf):
        self.conf, self.goal = conf, torch.tensor(conf["goal"])
        self.sim = HangingChain()
        self.policy = Policy(self.sim.n)
        self.ema = EMA(self.policy, conf["ema"])
        self.opt = torch.optim.Adam(self.policy.parameters(), conf["lr"])
        self.rows = []
        self.best = None

    def cost(self):
        return torch.stack([(x[-1] - self.goal).square().sum() for x in self.sim.traj]).mean()

    def window(self, sim):
        sim.begin_window()
        for _ in range(self.conf["horizon"]):
            sim.step(self.policy(sim.x, sim.v))

    @torch.no_grad()
    def evaluate(self):
        live, self.sim = self.sim, HangingChain()
        try:
            with self.ema.swapped():
                for _ in range(4):
                    self.window(self.sim)
                return self.cost().item()
        finally:
            self.sim = live

    def fit(self):
        for k in range(self.conf["windows"]):
            if k % 30 == 0:
                self.sim.reset()
            self.window(self.sim)
            self.loss = self.cost()
            self.opt.zero_grad()
            self.loss.backward()
            norm = nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
            self.opt.step()
            self.ema.update()
            self.rows.append({"window": k, "cost": self.loss.item(), "norm": norm.item()})
            if k % self.conf["eval_every"] == 0:
                value = self.evaluate()
                if self.best is None or value < self.best[0]:
                    self.best = (value, {n: p.detach().clone() for n, p in self.policy.named_parameters()})
                print(self.rows[-1], "eval", round(value, 4))


torch.manual_seed(6)
Runner(CONF).fit()
