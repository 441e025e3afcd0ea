# gradwatch-corpus: kind=graph-held
# holder: self.value | trainer.state.smoothed.value | self.state.smoothed.value
# first-bad: 1
import torch

from corpus import InstructionPacker
from lora_model import MiniGPT, inject_lora
from trainer import SFTTrainer, TrainArgs


def main():
    args = TrainArgs(max_steps=90, logging_steps=30)
    torch.manual_seed(args.seed)
    model = inject_lora(MiniGPT(vocab=64, dim=32, layers=2, heads=4, ctx=24), rank=4, alpha=8)
    trainer = SFTTrainer(model, args, InstructionPacker(vocab=64, ctx=24, batch=8))
    trainer.train()


if __name__ == "__main__":
    main()
