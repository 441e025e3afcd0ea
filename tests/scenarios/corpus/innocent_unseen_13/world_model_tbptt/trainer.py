from collections import deque
from dataclasses import dataclass

import torch

from model import gaussian_nll


@dataclass
class WindowMetrics:
    nll: float
    overshoot: float


class Trainer:
    def __init__(self, model, fleet, window, lr=3e-3):
        self.model, self.fleet, self.window = model, fleet, window
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.h = model.initial(fleet.n)
        self.obs = fleet.observe()
        self.recent_states = deque(maxlen=16)
        self.history = []

    def unroll(self):
        nlls, states, actions, targets = [], [], [], []
        for _ in range(self.window):
            act, nxt, done = self.fleet.step()
            mean, logstd, self.h = self.model(self.obs, act, self.h)
            alive = (~done).float()
            nlls.append((gaussian_nll(mean, logstd, nxt) * alive).sum() / alive.sum().clamp_min(1))
            self.h = self.h * alive.unsqueeze(1)
            states.append(self.h)
            actions.append(act)
            targets.append((nxt, alive))
            self.obs = nxt
        return torch.stack(nlls).mean(), states, actions, targets

    def overshoot(self, states, actions, targets, k=3):
        """Open-loop prediction from the middle of the window."""
        m = self.window // 2
        h, obs = states[m], targets[m][0]
        error, ok = 0.0, torch.ones(self.fleet.n)
        for j in range(m + 1, m + 1 + k):
            obs, _, h = self.model(obs, actions[j], h)
            nxt, alive = targets[j]
            ok = ok * alive
            error = error + ((obs - nxt).square().sum(1) * ok).mean()
        return error / k

    def window_step(self):
        nll, states, actions, targets = self.unroll()
        over = self.overshoot(states, actions, targets)
        loss = nll + 0.5 * over
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.opt.step()
        self.h = self.h.detach()
        self.recent_states.append(self.h)
        metrics = WindowMetrics(nll.item(), over.item())
        self.history.append(metrics)
        return metrics

    def state_drift(self):
        stacked = torch.stack(tuple(self.recent_states))
        return stacked.std(0).mean().item() if len(stacked) > 1 else 0.0
