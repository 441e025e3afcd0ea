# gradwatch-corpus: kind=graph-held
# holder: self.index | checkpoints.index
# first-bad: 1
"""Contact-map prediction for short synthetic chains."""
import logging
import tempfile
from pathlib import Path

import torch

from checkpointing import CheckpointManager
from data import sample_chains
from net import ContactNet, contact_loss


def train(steps: int, root: Path) -> None:
    model = ContactNet(alphabet=20, dim=24)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    checkpoints = CheckpointManager(root, keep=2)
    for step in range(steps):
        seq, contacts = sample_chains(batch=4, length=24)
        logits = model(seq)
        loss, precision = contact_loss(logits, contacts)
        opt.zero_grad()
        loss.backward()
        opt.step()
        checkpoints.offer(step, model, loss, precision=precision)  # <- culprit
    for row in checkpoints.table(5):
        logging.info(row)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(61)
    with tempfile.TemporaryDirectory() as tmp:
        train(130, Path(tmp))
