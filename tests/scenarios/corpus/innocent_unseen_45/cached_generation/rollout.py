import torch
import torch.nn.functional as F


def rollout_loss(model, ids, prompt):
    """Teacher-forced prompt, then the model reads its own guesses via the cache."""
    model.start()
    logits = [model(ids[:, :prompt])]
    for _ in range(ids.shape[1] - prompt - 1):
        guess = logits[-1][:, -1:].detach().argmax(-1)
        logits.append(model(guess))
    logits = torch.cat(logits, dim=1)
    per_token = F.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
    return per_token.mean(), per_token
