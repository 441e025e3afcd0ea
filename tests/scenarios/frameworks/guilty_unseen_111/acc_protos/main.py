# gradwatch-corpus: kind=second-backward
# holder: self.protos | bank.protos | self.bank.protos | protos
# first-bad: 80
# notice: 0
"""Bird-call embedding with a prototype term that starts after a warm-up; Accelerate loop."""
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader

from bank import PrototypeBank
from calls import CallDataset, support_set
from encoder import CallEncoder

torch.set_num_threads(1)

EPOCHS, BATCH, ACCUM = 8, 24, 2
WARMUP_STEPS, REFRESH = 80, 20
N_SPECIES = 5


def proto_loss(z, y, protos, tau=0.2):
    sim = F.normalize(z, dim=1) @ F.normalize(protos, dim=1).T
    return F.cross_entropy(sim / tau, y)


def main():
    set_seed(123)
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=ACCUM)
    loader = DataLoader(CallDataset(1200, N_SPECIES), batch_size=BATCH, shuffle=True, drop_last=True)
    model = CallEncoder(N_SPECIES)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    model, opt, loader = accelerator.prepare(model, opt, loader)
    bank = PrototypeBank(model, *support_set(N_SPECIES, shots=6), every=REFRESH)

    step = 0
    for epoch in range(EPOCHS):
        model.train()
        total, seen, hits = 0.0, 0, 0
        for x, y in loader:
            with accelerator.accumulate(model):
                z, logits = model(x)
                loss = F.cross_entropy(logits, y)
                if step >= WARMUP_STEPS:
                    loss = loss + 0.5 * proto_loss(z, y, bank.at(step))
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 5.0)
                    step += 1
                opt.step()
                opt.zero_grad()
            total += loss.item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        accelerator.print(f"epoch {epoch} step {step} loss {total / seen:.4f} acc {hits / seen:.3f}")


if __name__ == "__main__":
    main()
