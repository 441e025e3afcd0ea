# gradwatch-corpus: kind=none
"""GRPO on a toy language of digits: several epochs over one group of rollouts, KL to a reference that is renewed."""
import copy
from dataclasses import dataclass, field

import torch

from .policy import DigitPolicy
from .rollout import Group, roll_out

torch.set_num_threads(1)
torch.manual_seed(64)


@dataclass
class Config:
    rounds: int = 26
    epochs: int = 4
    prompts: int = 4
    group: int = 6
    clip: float = 0.2
    kl: float = 0.02
    renew: int = 10
    curve: list = field(default_factory=list)


def token_loss(policy, group: Group, cfg: Config):
    logp, entropy = policy.score(group.prompts, group.tokens)
    ratio = torch.exp(logp - group.old_logp)
    adv = group.advantage[:, None]
    gain = torch.minimum(ratio * adv, ratio.clamp(1 - cfg.clip, 1 + cfg.clip) * adv)
    distance = torch.exp(group.ref_logp - logp) - (group.ref_logp - logp) - 1
    weight = group.mask / group.mask.sum(1, keepdim=True)
    return ((-gain + cfg.kl * distance) * weight).sum(1).mean(), entropy.mean()


def main(cfg=Config()):
    policy = DigitPolicy()
    reference = copy.deepcopy(policy).requires_grad_(False)
    optimizer = torch.optim.AdamW(policy.parameters(), lr=5e-3, weight_decay=0.0)
    for r in range(cfg.rounds):
        group = roll_out(policy, reference, cfg.prompts, cfg.group)
        for _ in range(cfg.epochs):
            loss, entropy = token_loss(policy, group, cfg)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            optimizer.step()
        cfg.curve.append(group.reward.mean().item())
        if r % cfg.renew == cfg.renew - 1:
            reference.load_state_dict(policy.state_dict())
            print(f"round {r + 1} reward {sum(cfg.curve[-5:]) / 5:.3f} entropy {entropy.item():.3f}")


if __name__ == "__main__":
    main()
