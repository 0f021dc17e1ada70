"""Torch on one thread for the tests of this folder."""

from tests.one_thread import torch_on_one_thread as torch_on_one_thread
