package com.fasterxml.jackson.core;

/** Stands for the trees of Jackson 2, which are known by this name alone. */
public interface TreeNode {
  boolean isArray();
}
