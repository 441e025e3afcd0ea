# gradwatch-corpus: kind=graph-held
# holder: self.attn_maps | decoder.attn_maps | model.decoder.attn_maps | self.decoder.attn_maps
# first-bad: 1
"""Show-attend-and-tell in miniature: describes grids of coloured shapes with
sentences such as "a red circle left of a blue square"."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from data import PAD, SceneSampler, WORDS
from model import Captioner


def caption_loss(logits, target, alphas, reg):
    ce = F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD)
    # doubly stochastic attention
    spread = ((1.0 - alphas.sum(dim=1)) ** 2).mean()
    return ce + reg * spread, ce


def train(model, sampler, optimizer, steps, batch_size, reg, clip, print_every):
    model.train()
    losses = []
    for step in range(steps):
        grids, captions = sampler.batch(batch_size)
        logits, alphas = model(grids, captions[:, :-1])
        loss, ce = caption_loss(logits, captions[:, 1:], alphas, reg)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        losses.append(ce.item())
        if (step + 1) % print_every == 0:
            recent = losses[-print_every:]
            print("step %4d  ce %.4f" % (step + 1, sum(recent) / len(recent)))
    return losses


@torch.no_grad()
def describe(model, sampler):
    model.eval()
    grids, captions = sampler.batch(1)
    logits, _ = model(grids, captions[:, :-1])
    words = [WORDS[i] for i in logits.argmax(-1)[0].tolist()]
    truth = [WORDS[i] for i in captions[0, 1:].tolist()]
    return " ".join(words), " ".join(truth)


@torch.no_grad()
def attention_entropy(maps):
    """first against last quarter of the maps: did the attention get sharper?"""
    quarter = max(1, len(maps) // 4)

    def entropy(part):
        values = [-(m * (m + 1e-9).log()).sum(-1).mean().item() for m in part]
        return sum(values) / len(values)

    return entropy(maps[:quarter]), entropy(maps[-quarter:])


if __name__ == "__main__":
    torch.manual_seed(21)
    sampler = SceneSampler(seed=5)
    model = Captioner(n_words=len(WORDS), feat=sampler.n_feat, hidden=32)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    train(model, sampler, optimizer, steps=300, batch_size=16, reg=0.1, clip=2.0, print_every=60)
    before, after = attention_entropy(model.decoder.attn_maps)
    print("attention entropy %.3f -> %.3f" % (before, after))
    said, meant = describe(model, sampler)
    print("said :", said)
    print("meant:", meant)
