# gradwatch-corpus: kind=graph-held
# holder: self.cases | book.cases | trainer.book.cases | self.book.cases
# first-bad: 1
import torch

from casebook import CaseBook
from scans import PatchSampler
from segmenter import PatchSegmenter
from trainer import LesionTrainer, TrainerConfig


def main():
    torch.manual_seed(17)
    config = TrainerConfig()
    sampler = PatchSampler(config.patch, config.batch)
    book = CaseBook(capacity=config.report_cases)
    trainer = LesionTrainer(config, PatchSegmenter(config.width), book)
    for iteration in range(config.iterations):
        patches, masks, case_ids = sampler.draw()
        dice = trainer.fit_batch(patches, masks, case_ids)
        if iteration % 30 == 0:
            print(f"iter {iteration:3d} dice loss {dice:.3f}")
    print("cases for review:")
    for case in book.worst():
        print(f"  case {case.case_id:4d} severity {float(case.severity):.3f}")


if __name__ == "__main__":
    main()
