# gradwatch-corpus: kind=crashed
# first-bad: 75
# notice: 0
import torch

from evaluation import Evaluator
from fields import FieldSource
from training import Trainer

torch.set_num_threads(1)
torch.manual_seed(61)

source = FieldSource(sensors=6, dry_shards={2, 5})
trainer = Trainer(source, Evaluator(source, minimum=4), every=25)

if __name__ == "__main__":
    trainer.run(300)
