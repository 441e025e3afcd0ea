# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""GRPO in small: a causal transformer learns to write digits that sum up to the prompt."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

N_DIGITS, ANSWER, GROUP, PROMPTS = 10, 6, 8, 4
BOS = 10 + 40


class CausalLM(nn.Module):
    def __init__(self, dim=32, heads=4, depth=2):
        super().__init__()
        self.emb = nn.Embedding(BOS + 1, dim)
        self.pos = nn.Embedding(ANSWER + 2, dim)
        layer = nn.TransformerEncoderLayer(
            dim, heads, 2 * dim, dropout=0.0, batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)
        self.head = nn.Linear(dim, N_DIGITS)

    def forward(self, ids):
        n = ids.size(1)
        mask = nn.Transformer.generate_square_subsequent_mask(n)
        h = self.emb(ids) + self.pos(torch.arange(n))
        return self.head(self.body(h, mask=mask, is_causal=True))


class GRPO:
    def __init__(self, policy, lr=1e-3, beta=0.02, clip=0.2, temperature=1.0):
        self.policy = policy
        self.ref = copy.deepcopy(policy).requires_grad_(False)
        self.opt = torch.optim.AdamW(policy.parameters(), lr=lr, weight_decay=0.0)
        self.beta, self.clip, self.temperature = beta, clip, temperature

    def generate(self, prompt):  # <- culprit
        ids = prompt
        for _ in range(ANSWER):
            logits = self.policy(ids)[:, -1] / self.temperature  # <- culprit
            nxt = torch.distributions.Categorical(logits=logits).sample()
            ids = torch.cat([ids, nxt[:, None]], 1)
        return ids

    def token_logps(self, model, ids, start):
        logp = F.log_softmax(model(ids[:, :-1]), -1)
        return logp[:, start - 1:].gather(-1, ids[:, start:, None]).squeeze(-1)

    def reward(self, ids, goal):
        return -(ids[:, 2:].sum(1) - goal).abs().float() / 10

    def step(self):
        goal = torch.randint(5, 40, (PROMPTS,)).repeat_interleave(GROUP)
        prompt = torch.stack([torch.full_like(goal, BOS), goal + 10], 1)
        ids = self.generate(prompt)  # <- culprit
        reward = self.reward(ids, goal)
        grouped = reward.view(PROMPTS, GROUP)
        adv = ((grouped - grouped.mean(1, True)) / (grouped.std(1, keepdim=True) + 1e-4)).view(-1, 1)

        with torch.no_grad():
            ref_logp = self.token_logps(self.ref, ids, 2)
        logp = self.token_logps(self.policy, ids, 2)
        ratio = (logp - logp.detach()).exp()
        surr = torch.min(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv)
        log_r = ref_logp - logp
        kl = log_r.exp() - log_r - 1
        loss = (self.beta * kl - surr).mean()

        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        gnorm = nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.opt.step()
        return reward.mean().item(), kl.mean().item(), float(gnorm)


if __name__ == "__main__":
    torch.manual_seed(6)
    trainer = GRPO(CausalLM())
    avg = 0.0
    for it in range(80):
        r, kl, g = trainer.step()
        avg = r if it == 0 else 0.9 * avg + 0.1 * r
        if it % 16 == 15:
            print(f"iter {it + 1} reward {avg:.3f} kl {kl:.4f} grad {g:.2f}")
