import copy

import torch
import torch.nn.functional as F


class PreferenceTrainer:
    def __init__(self, policy, beta, callbacks):
        self.policy, self.beta, self.callbacks = policy, beta, callbacks
        self.reference = copy.deepcopy(policy).eval()
        for p in self.reference.parameters():
            p.requires_grad = False
        self.opt = torch.optim.RMSprop(policy.parameters(), lr=1e-3)
        for g in self.opt.param_groups:
            g["initial_lr"] = g["lr"]
        for c in callbacks:
            c.bind(self)

    def sample_pairs(self, n=8):
        prompt = torch.randint(0, self.policy.vocab, (n, 5))
        good = (prompt + 1) % self.policy.vocab
        bad = torch.randint(0, self.policy.vocab, good.shape)
        return prompt, good, bad

    def compute(self, prompt, good, bad):
        def edge(ans):
            return self.policy.sequence_logp(prompt, ans) - self.reference.sequence_logp(prompt, ans)

        margin = self.beta * (edge(good) - edge(bad))
        return -F.logsigmoid(margin).mean(), margin.mean()

    def fit(self, steps):
        for step in range(steps):
            loss, margin = self.compute(*self.sample_pairs())
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            logs = {"loss": loss.item(), "margin": margin}  # <- culprit
            for c in self.callbacks:
                c.on_step(step, logs)
