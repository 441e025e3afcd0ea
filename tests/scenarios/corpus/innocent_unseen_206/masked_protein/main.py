# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F
from corpus import MASK, mask_tokens, sequences
from probes import ActivationTap
from transformer import TinyProtein


def main(steps=420):
    torch.manual_seed(60)
    gen = torch.Generator().manual_seed(60)
    model = TinyProtein()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 1e-2, total_steps=steps)
    tap = ActivationTap(model.layers)
    perplexity, sparsity = [], []
    for step in range(steps):
        tokens = sequences(16, 24, gen)
        inputs, masked = mask_tokens(tokens, 0.2, gen)
        with tap:
            logits = model(inputs)
        per_token = F.cross_entropy(logits.transpose(1, 2), tokens, reduction="none")
        loss = (per_token * masked).sum() / masked.sum().clamp(min=1)
        loss = loss + 1e-3 * tap.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        sparsity.append(tap.drain())
        perplexity.append(loss.item())
        if step % 70 == 69:
            hidden = (inputs == MASK).float().mean().item()
            print(step + 1, f"nll {sum(perplexity[-40:]) / 40:.3f} masked {hidden:.2f}",
                  "act", [round(v, 3) for v in sparsity[-1]])


if __name__ == "__main__":
    main()
