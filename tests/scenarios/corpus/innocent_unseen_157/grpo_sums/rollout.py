from dataclasses import dataclass

import torch

from .policy import STOP


@dataclass
class Group:
    prompts: torch.Tensor
    tokens: torch.Tensor
    mask: torch.Tensor
    old_logp: torch.Tensor
    ref_logp: torch.Tensor
    reward: torch.Tensor
    advantage: torch.Tensor


def judge(prompts, tokens, mask):
    """The digits before the stop should sum to the prompt."""
    digits = tokens * (tokens != STOP) * mask.bool()
    return 1.0 / (1.0 + (digits.sum(1) - prompts.squeeze(1)).abs())


def roll_out(policy, reference, prompts, group):
    asked = torch.randint(3, 15, (prompts, 1)).float().repeat_interleave(group, dim=0)
    tokens = policy.sample(asked)
    stopped = (tokens == STOP).long().cumsum(1)
    mask = ((stopped - (tokens == STOP).long()) == 0).float()
    with torch.inference_mode():
        old, ref = policy.score(asked, tokens)[0], reference.score(asked, tokens)[0]
    reward = judge(asked, tokens, mask)
    grouped = reward.view(prompts, group)
    advantage = (grouped - grouped.mean(1, keepdim=True)) / (grouped.std(1, keepdim=True) + 1e-4)
    return Group(asked, tokens, mask, old.clone(), ref.clone(), reward, advantage.view(-1))
