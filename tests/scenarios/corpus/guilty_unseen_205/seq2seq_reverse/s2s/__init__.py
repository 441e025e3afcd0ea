from .model import Seq2Seq
from .trainer import Seq2SeqTrainer
