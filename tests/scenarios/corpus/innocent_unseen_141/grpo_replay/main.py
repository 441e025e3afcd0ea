# gradwatch-corpus: kind=none
"""GRPO with several epochs over each rollout and a replay of good answers."""
import torch

from policy import Speaker, sync
from storage import Replay, Rollout

torch.set_num_threads(1)
torch.manual_seed(9)

actor = Speaker(vocab=9)
behaviour, reference = sync(actor), sync(actor)
opt = torch.optim.Adam(actor.parameters(), lr=3e-3)
replay = Replay(limit=12)


def score(tokens):
    return (tokens == tokens.flip(1)).float().mean(1)


def objective(r, clip=0.2, beta=0.03):
    logp = actor.logp(r.tokens)
    ratio = (logp - r.logp_old).exp()
    a = r.advantage[:, None]
    kl = (r.logp_ref - logp).exp() - (r.logp_ref - logp) - 1
    return (-torch.min(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a) + beta * kl).mean()


for round_ in range(75):
    behaviour.load_state_dict(actor.state_dict())
    tokens = behaviour.sample(12, 6)
    reward = score(tokens)
    fresh = Rollout(
        tokens,
        behaviour.logp(tokens).detach(),
        reference.logp(tokens),
        (reward - reward.mean()) / (reward.std() + 1e-4),
    )
    replay.add(fresh, reward.mean().item())
    for epoch in range(6):
        batch = fresh if epoch < 4 else replay.draw()
        loss = objective(batch)
        opt.zero_grad()
        loss.backward()
        opt.step()
    if round_ % 15 == 0:
        print(round_, f"reward {reward.mean().item():.3f} best {replay.best():.3f}")
