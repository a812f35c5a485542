/** How clones come about: led by the project's own coordinator, or simply as the paper has it. */
package org.clonehadoop.simulator.cloning;
